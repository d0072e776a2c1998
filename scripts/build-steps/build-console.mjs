// Writes the web app of the console: a first chunk, one chunk for each screen, and a list of them.
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { compressFiles } from './compress-files.mjs'

await build({
  root: fileURLToPath(new URL('../../web/console', import.meta.url)),
  base: '/console/',
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  build: {
    outDir: fileURLToPath(new URL('../../dist/web/console', import.meta.url)),
    emptyOutDir: true,
    // The policy of the page allows files only: nothing is written into the page or a style.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: 'files.json',
    target: 'es2022',
    rolldownOptions: {
      input: fileURLToPath(new URL('../../web/console/main.tsx', import.meta.url)),
      // A directive for servers, which there are none of.
      onLog: (level, log, show) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') show(level, log)
      },
    },
  },
})
await compressFiles(fileURLToPath(new URL('../../dist/web/console', import.meta.url)))
