import { Socket } from 'node:net'

/**
 * The driver would open the same socket after detecting its platform, which loads the `fetch` of Node
 * 20 and takes longer than connecting.
 */
export const plain_socket = { stream: () => new Socket() }
