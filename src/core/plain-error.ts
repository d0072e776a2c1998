/** An error for the person who typed the command: its sentence is all they need to see. */
export class PlainError extends Error {}
