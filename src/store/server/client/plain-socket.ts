import { Socket } from 'node:net'

/**
 * The driver opens the same socket by itself, after it has detected its platform: that loads the `fetch` of
 * Node 20, which takes longer than anything else about a connection.
 */
export const plain_socket = { stream: () => new Socket() }
