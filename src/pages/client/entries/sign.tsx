import { render } from 'preact'
import type { SignProps } from '../../shared/sign-props.ts'
import { Sign } from '../sign/sign.tsx'

/** Starts the islands that sign a message with a wallet. */
for (const place of document.querySelectorAll<HTMLElement>('[data-island="sign"]')) {
  const props = JSON.parse(place.dataset.props ?? '') as SignProps
  place.replaceChildren()
  render(<Sign {...props} />, place)
}
