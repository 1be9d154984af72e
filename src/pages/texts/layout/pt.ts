import type { LayoutTexts } from './en.ts'

export const pt: LayoutTexts = {
  name: 'Fundproof',
  description: 'Financiamento coletivo em que uma blockchain pública prova cada cêntimo creditado.',
  skip: 'Ir para o conteúdo',
  menu: 'Menu principal',
  campaigns: 'Campanhas',
  check: 'Verificar uma prova',
  account: 'Conta',
  signIn: 'Entrar',
  more: 'Mais',
  promise: 'A Fundproof nunca guarda o dinheiro. Mantém livros que todos podem verificar.',
  status: 'Estado do serviço',
  api: 'Para programadores',
  language: 'Idioma',
  theme: 'Cores',
  themes: { auto: 'Como o dispositivo', light: 'Claro', dark: 'Escuro' },
  notLive: 'Sem atualizações em direto desde as {time}. A tentar de novo…',
}
