import { Socket } from 'node:net'

/**
 * What the driver opens by itself as well, after it has found out on which platform it runs: that loads
 * the `fetch` of Node 20, which takes longer than anything else about a connection.
 */
export const plain_socket = { stream: () => new Socket() }
