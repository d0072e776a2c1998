/** An error for the person who ran the command: its message is all they need to see. */
export class PlainError extends Error {}
