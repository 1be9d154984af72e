import { ACTS, type Act, type CheckProps } from '../../components/check-state.ts'
import type { Checker } from '../check/checker.tsx'

/**
 * The check of proofs, on the page of a donation and on the page for any proof. The code of the
 * check is loaded by the first act of the donor. On the second page, a file may be dropped.
 */
const start = (element: HTMLElement): void => {
  const props: CheckProps = JSON.parse(element.dataset.props ?? '')
  let checker: Promise<Checker> | undefined
  const ready = () => {
    checker ??= import('../check/checker.tsx').then((part) => part.mountCheck(element, props))
    return checker
  }
  /** Runs an act of the check. If its code cannot be loaded, the next act tries again. */
  const run = (act: (checker: Checker) => void) => {
    ready().then(act, () => {
      checker = undefined
      const status = element.querySelector('[role="status"]')
      if (status) status.textContent = props.texts.noAnswer
    })
  }
  const act = (name: string | undefined, form?: HTMLFormElement) => {
    if (ACTS.includes(name as Act)) run((it) => it.do(name as Act, new FormData(form)))
  }
  const takeFile = (file: File | undefined) => {
    if (file) run((it) => it.takeFile(file))
  }

  element.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null
    if (button?.name === 'act') act(button.value)
  })
  element.addEventListener('submit', (event) => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    act(form.dataset.act, form)
  })
  element.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement) takeFile(target.files?.[0])
  })
  if (props.donation !== null) return
  // The page for any proof also works if the network goes away after the first touch.
  element.addEventListener('focusin', () => run((it) => it.prepare()), { once: true })
  document.addEventListener('dragover', (event) => event.preventDefault())
  document.addEventListener('drop', (event) => {
    event.preventDefault()
    takeFile(event.dataTransfer?.files[0])
  })
}

for (const element of document.querySelectorAll<HTMLElement>('[data-island="check"]')) {
  start(element)
}
