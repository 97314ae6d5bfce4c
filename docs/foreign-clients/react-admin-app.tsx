// A minimal app of react-admin over Intake's data provider, for the test that drives it in a browser.

import { createClient } from "@intake/client";
import { reactAdminProvider } from "@intake/client/providers/react-admin";
import { createKeySession } from "@intake/client/token-exchange";
import {
  Admin,
  AutocompleteInput,
  BulkDeleteButton,
  BulkUpdateButton,
  Create,
  DataTable,
  DeleteButton,
  Edit,
  List,
  ReferenceField,
  ReferenceInput,
  ReferenceManyField,
  Resource,
  SaveButton,
  SearchInput,
  SimpleForm,
  TextField,
  TextInput,
  Toolbar,
} from "react-admin";
import { createRoot } from "react-dom/client";

const settings = new URLSearchParams(location.search);
const baseUrl = settings.get("service") ?? "";
const client = createClient({ baseUrl, session: createKeySession(baseUrl, settings.get("key") ?? "") });

const filters = [
  <SearchInput key="q" source="q" alwaysOn />,
  <TextInput key="name" source="name.prefix" label="Name begins with" alwaysOn />,
];

function ManyButtons() {
  return (
    <>
      <BulkUpdateButton data={{ city: "Bremen" }} mutationMode="pessimistic" />
      <BulkDeleteButton mutationMode="pessimistic" />
    </>
  );
}

function CustomerList() {
  return (
    <List filters={filters} sort={{ field: "name", order: "ASC" }}>
      <DataTable bulkActionButtons={<ManyButtons />}>
        <DataTable.Col source="name" />
        <DataTable.Col source="accountNumber" />
        <DataTable.Col source="city" />
      </DataTable>
    </List>
  );
}

function CustomerInputs() {
  return (
    <>
      <TextInput source="name" />
      <TextInput source="accountNumber" />
      <TextInput source="city" />
    </>
  );
}

function CustomerCreate() {
  return (
    <Create redirect="list">
      <SimpleForm>
        <CustomerInputs />
      </SimpleForm>
    </Create>
  );
}

function CustomerEdit() {
  const toolbar = (
    <Toolbar>
      <SaveButton />
      <DeleteButton mutationMode="pessimistic" />
    </Toolbar>
  );
  return (
    <Edit mutationMode="pessimistic">
      <SimpleForm toolbar={toolbar}>
        <CustomerInputs />
        <ReferenceManyField reference="orders" target="customerId">
          <DataTable bulkActionButtons={false}>
            <DataTable.Col source="orderNumber" />
          </DataTable>
        </ReferenceManyField>
      </SimpleForm>
    </Edit>
  );
}

function OrderList() {
  return (
    <List sort={{ field: "orderNumber", order: "ASC" }}>
      <DataTable>
        <DataTable.Col source="orderNumber" />
        <DataTable.Col source="customerId" label="Customer">
          <ReferenceField source="customerId" reference="customers">
            <TextField source="name" />
          </ReferenceField>
        </DataTable.Col>
      </DataTable>
    </List>
  );
}

function OrderCreate() {
  return (
    <Create redirect="list">
      <SimpleForm>
        <TextInput source="orderNumber" />
        <ReferenceInput source="customerId" reference="customers">
          <AutocompleteInput optionText="name" label="Customer" />
        </ReferenceInput>
      </SimpleForm>
    </Create>
  );
}

createRoot(document.getElementById("root") as HTMLElement).render(
  <Admin dataProvider={reactAdminProvider(client)} disableTelemetry>
    <Resource name="customers" list={CustomerList} create={CustomerCreate} edit={CustomerEdit} recordRepresentation="name" />
    <Resource name="orders" list={OrderList} create={OrderCreate} />
  </Admin>,
);
