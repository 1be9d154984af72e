import { checkProps } from '../load/check-props.ts'
import { get, show } from '../page.ts'
import { CheckIsland } from '../parts/islands.tsx'
import { checkTexts } from '../texts/check/index.ts'

/** The check may ask a node of the donor, whose address the page cannot know. */
const NODES = "'self' https:"
/** Browsers trust these addresses without https. Developers have their nodes there. */
const LOCAL_NODES = 'http://localhost:* http://127.0.0.1:*'

export const checkPages = () => [
  get('/check', 'check', async ({ ctx, lang }) => {
    const t = checkTexts[lang]
    const props = await checkProps(ctx, lang)
    return show({
      title: t.title,
      description: t.lead,
      scripts: ['check', 'page'],
      policy: { 'connect-src': props.mayAskLocal ? `${NODES} ${LOCAL_NODES}` : NODES },
      body: (
        <>
          <h1>{t.title}</h1>
          <p class="lead">{t.lead}</p>
          <CheckIsland {...props} />
          <section class="page-section">
            <h2>{t.alone.title}</h2>
            <p>{t.alone.text}</p>
            <pre>
              <code>npm run verify-proof -- proof.json --jwks jwks.json --rpc URL</code>
            </pre>
            <p class="section-links">
              <a href="/.well-known/jwks.json" download="jwks.json">
                {t.alone.keys}
              </a>
            </p>
          </section>
        </>
      ),
    })
  }),
]
