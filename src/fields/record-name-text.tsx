/** `text`: what say() gave for a sentence with {name}, without values. */
export function RecordNameText({ name, text }: { name: string; text: string }) {
  const [before, after] = text.split("{name}");
  return (
    <>
      {before}
      {after !== undefined && <bdi>{name}</bdi>}
      {after}
    </>
  );
}
