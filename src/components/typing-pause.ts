/** A fast typist's letters are that far apart; answers that come late are given up anyway. */
export const TYPING_PAUSE_MS = 60;
