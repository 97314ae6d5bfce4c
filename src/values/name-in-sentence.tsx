interface NameInSentenceProps {
  /** Holds what t() gave for a sentence with {name}, and perhaps {who}, without their values. */
  text: string;
  name: string;
  who?: string;
}

/** Writes a sentence with a name, which may be written from right to left and then leaves the sentence around it as it is. */
export function NameInSentence({ text, name, who }: NameInSentenceProps) {
  return text
    .split(/(\{name\}|\{who\})/)
    .map((piece, i) => (i % 2 === 0 ? piece : <bdi key={piece}>{piece === "{who}" ? who : name}</bdi>));
}
