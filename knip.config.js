import { readFileSync } from 'node:fs'

const tools = JSON.parse(readFileSync(new URL('tools/package.json', import.meta.url), 'utf8'))

// biome-ignore lint/style/noDefaultExport: knip reads the default export
export default {
  workspaces: {
    '.': {
      entry: [
        'bench/load/bare-server.ts',
        'bench/load/insert-server.ts',
        'bench/load/load-process.ts',
        'bench/load/webhook-sink.ts',
        'src/cli.ts',
        'src/http/describe-api.ts',
        'scripts/{,build-steps/}*.mjs',
        'bench/runs/*/*-bench.ts',
        'lab/*-lab.ts',
        'test/support/acquirer/connector-worker.ts',
        'client/src/checkout.ts',
        'client/src/kaikei-client.ts',
        'web/console/main.tsx',
        'web/console/api/generated/*.ts',
        'web/console/{parts,words}/**/*.{ts,tsx}',
      ],
      project: [
        'src/**/*.ts',
        'client/src/**/*.ts',
        'web/console/**/*.{ts,tsx}',
        'test/**/*.ts',
        'bench/**/*.ts',
        'lab/**/*.ts',
        'scripts/**/*.{mjs,ts}',
      ],
      vitest: true,
    },
  },
  // Listed beside the package, so that a start does not install them; the tidy test checks that each is used.
  ignoreDependencies: Object.keys(tools.devDependencies),
  ignoreWorkspaces: ['tools'],
  ignoreExportsUsedInFile: true,
  ignoreBinaries: [
    'strace',
    'apt-get',
    'chroot',
    'dd',
    'dpkg-deb',
    'ip',
    'mount',
    'patroni',
    'systemd-analyze',
    'umount',
  ],
}
