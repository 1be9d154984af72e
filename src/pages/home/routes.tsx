import { ListCampaigns, listCampaigns } from '../../domain/campaign/index.ts'
import { get, show } from '../page.ts'

export const homePages = () => [
  get('/', 'home', async ({ ctx }) => {
    const { items } = await listCampaigns(ctx, ListCampaigns.parse({}))
    return show({
      title: 'Fundproof',
      body: (
        <ul>
          {items.map(({ id, slug, title }) => (
            <li key={id}>
              <a href={`/c/${slug}`}>{title}</a>
            </li>
          ))}
        </ul>
      ),
    })
  }),
]
