import { mkdirSync } from 'node:fs'

/**
 * Creates the data folder. Only its owner can access it; root's lets others pass through, not list it,
 * because the unprivileged database below it must reach its files.
 */
export function makeDataFolder(data_dir: string): void {
  mkdirSync(data_dir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
}
