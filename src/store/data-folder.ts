import { mkdirSync } from 'node:fs'

/**
 * Makes the data folder. It is its owner's alone; root's lets others pass, not look, because the
 * unprivileged database below it must get through.
 */
export function makeDataFolder(data_dir: string): void {
  mkdirSync(data_dir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
}
