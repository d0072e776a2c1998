const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['HeadlessChrome', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const
const systems = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

/** `Chrome 142, Windows` for the header of a browser; the header itself for a program. */
export function agentText(user_agent: string): string {
  const browser = browsers.find(([mark]) => user_agent.includes(`${mark}/`))
  if (!browser || !user_agent.startsWith('Mozilla/')) return user_agent
  const [mark, name] = browser
  // Safari has its own number elsewhere.
  const [, version] = new RegExp(`(?:Version|${mark})/(\\d+)`).exec(user_agent) ?? []
  const system = systems.find(([pattern]) => pattern.test(user_agent))?.[1]
  return [`${name} ${version ?? ''}`.trim(), system].filter(Boolean).join(', ')
}
