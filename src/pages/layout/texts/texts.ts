import type { Theme } from '../frame.ts'

/** The texts around every page. */
export type LayoutTexts = {
  name: string
  description: string
  skip: string
  menu: string
  campaigns: string
  check: string
  account: string
  signIn: string
  more: string
  promise: string
  status: string
  api: string
  language: string
  theme: string
  themes: Record<Theme, string>
  /** The browser replaces `{time}` with the time in its own zone. */
  notLive: string
}
