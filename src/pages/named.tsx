// A sentence about a record whose name keeps its own direction of writing.

export function Named({ name, is }: { name: string; is: string }) {
  return (
    <>
      <bdi>{name}</bdi> {is}
    </>
  );
}
