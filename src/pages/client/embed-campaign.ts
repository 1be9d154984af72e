/**
 * The script `/embed.js` for other sites. `<fundproof-campaign campaign="slug">` shows the card of
 * a campaign. Its content, such as a link to the campaign, stays until the card says its height.
 */
;(() => {
  const { origin } = new URL((document.currentScript as HTMLScriptElement).src)

  class FundproofCampaign extends HTMLElement {
    connectedCallback() {
      if (this.shadowRoot) return
      const name = encodeURIComponent(this.getAttribute('campaign') ?? '')
      const query = new URLSearchParams({ origin: location.origin, lang: this.lang })
      const frame = document.createElement('iframe')
      frame.src = `${origin}/embed/c/${name}?${query}`
      frame.title = this.textContent?.trim() || 'Fundproof'
      frame.height = '0'
      frame.style.cssText = 'border:0;display:block;width:100%;max-width:24rem;color-scheme:normal'
      const slot = document.createElement('slot')
      this.attachShadow({ mode: 'open' }).append(slot, frame)
      addEventListener('message', ({ origin: from, source, data }) => {
        const height = data?.fundproofHeight
        if (from !== origin || source !== frame.contentWindow || !(height > 0)) return
        frame.height = height
        slot.remove()
      })
    }
  }

  if (!customElements.get('fundproof-campaign')) {
    customElements.define('fundproof-campaign', FundproofCampaign)
  }
})()
