const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const

/** The order matters, because Android also says Linux, and an iPhone also says Mac OS. */
const SYSTEMS = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bMac OS\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const

const MAX_LENGTH = 40

/** The name of a program by its `User-Agent` header, such as `Firefox, Linux`. */
export const programOf = (userAgent: string): string => {
  const nameIn = (names: typeof BROWSERS | typeof SYSTEMS) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = nameIn(BROWSERS)
  const known = browser && [browser, nameIn(SYSTEMS)].filter(Boolean).join(', ')
  return known ?? userAgent.slice(0, MAX_LENGTH)
}
