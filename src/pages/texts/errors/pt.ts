import type { ErrorTexts } from './en.ts'

export const pt: ErrorTexts = {
  badRequest: {
    title: 'Assim não funciona',
    what: 'A página recebeu algo que não compreende. Volte atrás e tente de novo.',
  },
  signIn: { title: 'Entre na sua conta', what: 'Esta página é só para pessoas com uma conta.' },
  forbidden: { title: 'Não permitido', what: 'A sua conta não pode fazer isto.' },
  notFound: {
    title: 'Página não encontrada',
    what: 'Não há nenhuma página neste endereço. Pode ter mudado, ou o endereço tem um erro.',
  },
  conflict: {
    title: 'Agora não é possível',
    what: 'Entretanto algo mudou. Volte atrás e carregue a página de novo.',
  },
  gone: { title: 'Já não existe', what: 'Esta página foi retirada.' },
  tooMany: {
    title: 'Demasiados pedidos',
    what: 'A sua rede pediu demasiadas páginas em pouco tempo.',
  },
  legal: {
    title: 'Indisponível no seu país',
    what: 'A lei proíbe-nos de servir visitantes do seu país. Não pagou nada.',
  },
  ours: {
    title: 'Algo correu mal do nosso lado',
    what: 'O erro ficou registado. Nada do que pagou se perdeu. Tente de novo dentro de um minuto.',
  },
  unavailable: {
    title: 'Indisponível por um momento',
    what: 'Nada se perdeu. Esta página tenta de novo sozinha.',
  },
  retry: (seconds) =>
    `Tente de novo dentro de ${seconds} ${seconds === 1 ? 'segundo' : 'segundos'}.`,
  request: 'Pedido',
  home: 'Todas as campanhas',
}
