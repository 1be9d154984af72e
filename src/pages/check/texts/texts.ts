import type { CheckTexts } from '../../shared/check/check-texts.ts'

/** The texts of the page that checks any proof. */
export type CheckPageTexts = {
  title: string
  lead: string
  /** How to check without this site. */
  alone: { title: string; text: string; keys: string }
  /** The texts that go to the browser. */
  island: CheckTexts
}
