import type { CreateCampaign, PostUpdate } from '../../domain/campaigns/index.ts'

type SeededDonor = { amount: string; name?: string; message?: string }

/** A campaign of a new sandbox, with its updates and donors. */
export type SeededStory = {
  /** The file in `covers` that is drawn for this campaign. */
  cover: string
  campaign: Omit<CreateCampaign, 'ledgerAccount' | 'escrow' | 'status'>
  /** Oldest first. */
  updates: Omit<PostUpdate, 'campaignId' | 'media'>[]
  /** Oldest first. A donor without a name is anonymous. */
  donors: SeededDonor[]
}

/** A campaign whose donations go to the creator's own account at once. */
export const WATER: SeededStory = {
  cover: 'water.svg',
  campaign: {
    title: 'Clean water for Bako',
    creatorName: 'Bako Water Committee',
    category: 'water',
    location: { country: 'Ethiopia', region: 'Oromia' },
    description: [
      'Bako has 900 people and one spring, which runs dry from January to April. In these months women and children walk two hours to the river, and its water makes them ill.',
      'We drill two wells, one beside the school and one at the market. A company from Nekemte has surveyed both places and expects water at a depth of 60 metres. Each well gets a hand pump that our own mechanics can repair.',
      'The village pays for repairs: each family gives a small amount every month, and the committee publishes its accounts on the wall of the school.',
    ].join('\n\n'),
    targetAmount: '1000',
    milestones: [
      {
        title: 'The well at the school',
        description: 'Drilled, lined, tested by the district laboratory and handed over.',
        amount: '400',
      },
      {
        title: 'The well at the market',
        description: 'Drilled, lined, tested by the district laboratory and handed over.',
        amount: '600',
      },
    ],
  },
  updates: [
    {
      type: 'progress',
      title: 'The survey is done',
      content:
        'The surveyors were here for three days. Both places have water at about 60 metres, and the laboratory found no fluoride.\n\nThe drilling rig can come in the first week after the rains.',
    },
  ],
  donors: [
    { amount: '120', name: 'Amina K.', message: 'My grandmother carried water all her life.' },
    { amount: '60' },
    { amount: '45', name: 'Jonas', message: 'Good luck with the drilling.' },
  ],
}

/** A campaign whose escrow contract pays out when a verifier has approved a milestone. */
export const ROOF: SeededStory = {
  cover: 'roof.svg',
  campaign: {
    title: 'A school roof for Bako',
    creatorName: 'Bako Primary School',
    category: 'education',
    location: { country: 'Ethiopia', region: 'Oromia' },
    description: [
      'The storm in August took the roof off six of our nine classrooms. Since then 240 children learn in two shifts, and when it rains they go home.',
      'The walls are sound. We need timber, iron sheets and four weeks of work by carpenters from Bako. Parents carry the material and help on Saturdays.',
      'An escrow contract holds the money until a verifier has seen the timber, and then the finished roof. Donors can collect what is not released in time.',
    ].join('\n\n'),
    targetAmount: '500',
    milestones: [
      {
        title: 'Timber and iron sheets',
        description: 'Delivered to the school, counted and stored dry.',
        amount: '200',
      },
      {
        title: 'The roof',
        description: 'Six classrooms are covered and stay dry in the rain.',
        amount: '300',
      },
    ],
  },
  updates: [
    {
      type: 'progress',
      title: 'The carpenters are ready',
      content:
        'Four carpenters have measured the rooms and written the list of material. The list is on the notice board of the school, with the price of each piece.',
    },
  ],
  donors: [
    { amount: '150', name: 'Lucía', message: 'For the children in the afternoon shift.' },
    { amount: '75' },
  ],
}
