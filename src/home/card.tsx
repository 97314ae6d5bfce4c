import { type ReactNode, useId } from "react";
import * as styles from "./home-page.module.css";

interface CardProps {
  title: string;
  /** Stands at the end of the line of the title. */
  note?: ReactNode;
  children: ReactNode;
}

/** Draws a card of the start page: a region with a heading. */
export function Card({ title, note, children }: CardProps) {
  const id = useId();
  return (
    <section className={styles.card} aria-labelledby={id}>
      <div className={styles.cardHead}>
        <h2 id={id}>{title}</h2>
        {note && <span className={styles.note}>{note}</span>}
      </div>
      {children}
    </section>
  );
}
