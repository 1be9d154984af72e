/** The server sends at least a heartbeat within this time. */
const QUIET_MS = 40_000
/** After this time without a stream the page reads itself. Each further time is longer. */
const FALL_BACK_MS = 15_000
const LONGEST_FALL_BACK_MS = 120_000

const nameOf = (part: Element): string => part.getAttribute('name') ?? ''

/** Keeps the parts of one stream up to date, while the page is visible. */
const keepLive = (src: string, parts: readonly Element[]): void => {
  const banner = document.querySelector<HTMLElement>('[data-not-live]')
  let source: EventSource | undefined
  let timer: number | undefined
  let since = new Date()
  let fallBacks = 0

  /** A random part keeps many pages from asking together after an outage. */
  const fallBackMs = (): number =>
    Math.min(LONGEST_FALL_BACK_MS, FALL_BACK_MS * 2 ** fallBacks) * (1 + Math.random() / 4)

  const plan = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(fallBack, ms)
  }

  const close = (): void => {
    clearTimeout(timer)
    source?.close()
    source = undefined
  }

  const open = (): void => {
    close()
    let isLost = true
    plan(fallBackMs())
    const opened = new EventSource(src)
    source = opened
    const listen = (type: string, take: (data: string) => void) =>
      opened.addEventListener(type, (event) => {
        isLost = false
        fallBacks = 0
        plan(QUIET_MS)
        sayFresh()
        take((event as MessageEvent<string>).data)
      })
    listen('beat', () => {})
    for (const part of parts) listen(nameOf(part), (html) => showPart(part, html))
    opened.onerror = () => {
      // The browser itself reconnects, with an error for each try.
      if (!isLost) plan(fallBackMs())
      isLost = true
    }
  }

  /** Reads the whole page again for its parts, and then opens a new stream. */
  const fallBack = async (): Promise<void> => {
    fallBacks++
    try {
      const answer = await fetch(location.href)
      if (!answer.ok) throw new Error(`status ${answer.status}`)
      const page = new DOMParser().parseFromString(toHtml(await answer.text()), 'text/html')
      for (const fresh of page.querySelectorAll('live-part')) {
        const same = parts.find((part) => nameOf(part) === nameOf(fresh))
        if (same && fresh.getAttribute('src') === src) showPart(same, fresh.innerHTML)
      }
      sayFresh()
    } catch {
      sayOld()
    }
    follow()
  }

  const sayFresh = (): void => {
    since = new Date()
    if (banner) banner.hidden = true
  }

  const sayOld = (): void => {
    if (!banner?.hidden) return
    const time = since.toLocaleTimeString(document.documentElement.lang, {
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
    })
    banner.textContent = (banner.dataset.notLive ?? '').replace('{time}', time)
    banner.hidden = false
  }

  /** A hidden page needs no stream. With HTTP/1.1, a host gets only six connections. */
  const follow = (): void => {
    if (document.hidden) close()
    else open()
  }

  document.addEventListener('visibilitychange', follow)
  // Browsers do not keep a page with an open stream for the way back.
  addEventListener('pagehide', close)
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) follow()
  })
  follow()
}

type Policy = { createHTML(html: string): string }

/** Not all browsers have Trusted Types (W3C). The texts come from this service alone. */
const { trustedTypes } = globalThis as {
  trustedTypes?: { createPolicy(name: string, rules: Policy): Policy }
}
const texts: Policy = { createHTML: (html) => html }
const policy = trustedTypes?.createPolicy('parts', texts) ?? texts

/** Marks HTML of this service as safe to show. The policy of the pages allows only this way. */
const toHtml = (html: string): string => policy.createHTML(html)

/** HTML that waits until the focus leaves its part. */
const waiting = new Map<Element, string>()

/** Shows new HTML in a part, but never while the focus is inside. */
const showPart = (part: Element, html: string): void => {
  if (part.contains(document.activeElement)) {
    waiting.set(part, html)
    return
  }
  waiting.delete(part)
  const fresh = document.createElement('template')
  fresh.innerHTML = toHtml(html)
  // The script of all pages writes its moments. An import would cost a request for both scripts.
  document.dispatchEvent(new CustomEvent('fresh', { detail: fresh.content }))
  if (fresh.innerHTML === part.innerHTML) return
  // The elements of a fresh part fade in.
  part.classList.add('fresh')
  part.replaceChildren(fresh.content)
}

document.addEventListener('focusout', () => {
  // The focus has moved only after this event.
  setTimeout(() => {
    for (const [part, html] of waiting) showPart(part, html)
  })
})

/** Keeps each `<live-part src name>` up to date, with one stream for all parts of a `src`. */
const parts = [...document.querySelectorAll('live-part')]
for (const [src, ofSrc] of Map.groupBy(parts, (part) => part.getAttribute('src'))) {
  if (src !== null) keepLive(src, ofSrc)
}
