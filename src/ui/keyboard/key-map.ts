// Every keyboard shortcut, and every action without one.

export interface KeyEntry {
  /** Alternatives, such as "n", "Alt+ArrowUp", "Mod+Shift+z". "Mod" is Ctrl, or ⌘ on a Mac. */
  keys: readonly string[];
  /** Only the first and the last are shown. */
  isRange?: true;
  /** Is true of what the command palette lists as well. */
  isAction?: true;
}

const table = {
  palette: { keys: ["Mod+k"] },
  help: { keys: ["?"], isAction: true },
  signOut: { keys: [], isAction: true },
  foldSidebar: { keys: ["Mod+b"], isAction: true },
  search: { keys: ["/"], isAction: true },
  create: { keys: ["n"] },
  nextRow: { keys: ["j", "ArrowDown"] },
  previousRow: { keys: ["k", "ArrowUp"] },
  rowsOn: { keys: ["PageDown"] },
  rowsBack: { keys: ["PageUp"] },
  firstRow: { keys: ["Home"] },
  lastRow: { keys: ["End"] },
  editRow: { keys: ["F2"] },
  preview: { keys: [" "] },
  select: { keys: ["x"] },
  openView: { keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"], isRange: true },
  moveColumn: { keys: ["Shift+ArrowLeft", "Shift+ArrowRight"] },
  sizeColumn: { keys: ["+", "-"] },
  editPreviewed: { keys: ["e"] },
  closePreview: { keys: ["Escape"] },
  unselect: { keys: ["Escape"], isAction: true },
  changeSelected: { keys: [], isAction: true },
  deleteSelected: { keys: [], isAction: true },
  save: { keys: ["Mod+s"], isAction: true },
  saveAndClose: { keys: ["Mod+Enter"], isAction: true },
  saveAndAnother: { keys: ["Mod+Shift+Enter"], isAction: true },
  goToField: { keys: [".", "Mod+g"], isAction: true },
  nextSection: { keys: ["Mod+ArrowDown"], isAction: true },
  previousSection: { keys: ["Mod+ArrowUp"], isAction: true },
  keepApart: { keys: ["d"], isAction: true },
  mergeRecords: { keys: ["m"], isAction: true },
  mergeShown: { keys: ["Mod+Enter"] },
  editRecord: { keys: ["e"] },
  keepValue: { keys: ["Mod+."] },
  delete: { keys: [], isAction: true },
  previous: { keys: ["Alt+ArrowUp"], isAction: true },
  next: { keys: ["Alt+ArrowDown"], isAction: true },
  nextProblem: { keys: ["F8"], isAction: true },
  previousProblem: { keys: ["Shift+F8"] },
  moveFocus: { keys: ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"] },
  selectCells: { keys: ["Shift+ArrowUp", "Shift+ArrowDown", "Shift+ArrowLeft", "Shift+ArrowRight"] },
  edit: { keys: ["Enter", "F2"] },
  empty: { keys: ["Delete", "Backspace"] },
  fillDown: { keys: ["Mod+d"] },
  undo: { keys: ["Mod+z"], isAction: true },
  redo: { keys: ["Mod+Shift+z", "Mod+y"], isAction: true },
} as const satisfies Record<string, KeyEntry>;

export type KeyId = keyof typeof table;
export const KEY_MAP: Readonly<Record<KeyId, KeyEntry>> = table;
