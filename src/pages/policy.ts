const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  // Icons of wallets are `data:` URLs (EIP-6963).
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': 'parts',
}

/** The Content-Security-Policy of a page (W3C CSP, level 3), with directives of its own. */
export const policyOf = (own: Readonly<Record<string, string>> = {}): string =>
  Object.entries({ ...POLICY, ...own })
    .map(([directive, value]) => `${directive} ${value}`)
    .join('; ')
