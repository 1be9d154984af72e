import type { SignProps } from '../../shared/sign-props.ts'
import { startSign } from '../sign/start-sign.ts'

/** Starts the islands that sign a message with a wallet. */
for (const place of document.querySelectorAll<HTMLElement>('[data-island="sign"]')) {
  startSign(place, JSON.parse(place.dataset.props ?? '') as SignProps)
}
