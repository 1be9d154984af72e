import type { SendProps } from '../../shared/send-state.ts'
import { mountSend } from '../send/send-transaction.tsx'

for (const element of document.querySelectorAll<HTMLElement>('[data-island="send"]')) {
  const props: SendProps = JSON.parse(element.dataset.props ?? '')
  mountSend(element, props)
}
