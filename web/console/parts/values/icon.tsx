/** Outlines on a grid of 16, one stroke: the same weight everywhere. */
const outlines = {
  home: 'M2.5 7.5 8 3l5.5 4.5V13a.5.5 0 0 1-.5.5h-3.5v-4h-3v4H3a.5.5 0 0 1-.5-.5Z',
  payments: 'M1.5 4.5h13v7h-13Zm0 2.5h13M4 9.5h2.5',
  subscriptions: 'M13 6.5A5.3 5.3 0 0 0 3.4 5M3 2.5v3h3M3 9.5A5.3 5.3 0 0 0 12.6 11M13 13.5v-3h-3',
  customers:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM1.5 13.5c0-2.5 1.8-4 4.5-4s4.5 1.5 4.5 4M10.5 2.8a2.5 2.5 0 0 1 0 4.5M12 9.8c1.6.5 2.5 1.8 2.5 3.7',
  deposits: 'M2 6.5 8 3l6 3.5H2Zm1.5 1.5v4m3-4v4m3-4v4m3-4v4M2 13.5h12',
  disputes: 'M8 2.5v11M4.5 13.5h7M3 4.5h10M3 4.5 1.5 9h3ZM13 4.5 11.5 9h3Z',
  ledger: 'M3.5 2.5h9v11h-9ZM6 5.5h4M6 8h4M6 10.5h2',
  developers: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  time: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.8V8l2.2 1.5',
  checkout: 'M2 2.5h1.8l1.4 7.5h7l1.3-5.2H4.4M6 13.2h.01M11.3 13.2h.01',
  settings:
    'M2.5 4.5h5m4 0h2M2.5 11.5h2m4 0h5M9.5 6.3a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6ZM6.5 13.3a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Z',
  operator: 'M8 1.8 13.5 4v3.8c0 3-2.2 5.2-5.5 6.4-3.3-1.2-5.5-3.4-5.5-6.4V4Z',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.2 3.2 3.2',
  plus: 'M8 3v10M3 8h10',
  close: 'm3.8 3.8 8.4 8.4m0-8.4-8.4 8.4',
  check: 'm3 8.5 3.3 3.2L13 4.8',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8Z',
  columns: 'M2.5 3h11v10h-11ZM6.2 3v10M9.8 3v10',
  download: 'M8 2.5v7.5m-3-3 3 3 3-3M2.5 13.5h11',
  down: 'm4.5 6.5 3.5 3.5 3.5-3.5',
  up: 'm4.5 9.5 3.5-3.5 3.5 3.5',
  right: 'm6.5 4.5 3.5 3.5-3.5 3.5',
  left: 'm9.5 4.5-3.5 3.5 3.5 3.5',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  user: 'M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8Zm-5.5 5.8c0-2.6 2.2-4.3 5.5-4.3s5.5 1.7 5.5 4.3',
  theme: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 2v12',
  language: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM2 8h12M8 2c-4 4-4 8 0 12 4-4 4-8 0-12Z',
  warning: 'M8 2.2 14.5 13.5h-13ZM8 6.5v3M8 11.5h.01',
  lock: 'M3.5 7.5h9v6h-9Zm2-0V5.3a2.5 2.5 0 0 1 5 0v2.2',
  refund: 'M5.5 3 2.5 6l3 3M2.5 6h7a4 4 0 0 1 0 8H6',
  store:
    'M2.5 6 3.5 2.5h9L13.5 6M2.5 6v7.5h11V6M2.5 6c0 2.3 3.6 2.3 3.7 0 0 2.3 3.6 2.3 3.6 0 .1 2.3 3.7 2.3 3.7 0',
  external: 'M6.5 3.5h-4v10h10v-4M9 2.5h4.5V7M13.5 2.5 7.5 8.5',
  provider: 'M2.5 4.5h11v3h-11Zm0 4.5h11v3h-11ZM5 6h.01M5 10.5h.01',
  webhook:
    'M5.5 9.5 8 5.3m2.5 4.2L8 5.3M5.8 11.5h4.4M8 5.3a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2ZM4.2 13.1a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2Zm7.6 0a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2Z',
  rule: 'M2.5 3h11l-4.3 5v5L6.8 11.8V8Z',
  worker:
    'M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM8 2.5v2m0 7v2M13.5 8h-2m-7 0h-2M11.9 4.1l-1.4 1.4m-5 5-1.4 1.4m7.8 0-1.4-1.4m-5-5L4.1 4.1',
  edit: 'm10.5 3.5 2 2-7 7-2.7.7.7-2.7Z',
} as const

export type IconName = keyof typeof outlines

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width={size} height={size} aria-hidden="true">
      <path d={outlines[name]} />
    </svg>
  )
}
