import type { ErrorTexts } from './en.ts'

export const es: ErrorTexts = {
  badRequest: {
    title: 'Así no funciona',
    what: 'La página ha recibido algo que no entiende. Vuelve atrás e inténtalo de nuevo.',
  },
  signIn: {
    title: 'Entra en tu cuenta',
    what: 'Esta página es solo para personas con una cuenta.',
  },
  forbidden: { title: 'No permitido', what: 'Tu cuenta no puede hacer esto.' },
  notFound: {
    title: 'Página no encontrada',
    what: 'No hay ninguna página en esta dirección. Puede haberse movido, o la dirección tiene un error.',
  },
  conflict: {
    title: 'Ahora no es posible',
    what: 'Algo ha cambiado mientras tanto. Vuelve atrás y carga la página de nuevo.',
  },
  gone: { title: 'Ya no está aquí', what: 'Esta página se ha retirado.' },
  tooMany: {
    title: 'Demasiadas peticiones',
    what: 'Tu red ha pedido demasiadas páginas en poco tiempo.',
  },
  legal: {
    title: 'No disponible en tu país',
    what: 'La ley nos prohíbe atender a visitantes de tu país. No has pagado nada.',
  },
  ours: {
    title: 'Algo ha fallado por nuestra parte',
    what: 'El error ha quedado registrado. Nada de lo que has pagado se ha perdido. Inténtalo de nuevo en un minuto.',
  },
  unavailable: {
    title: 'No disponible por un momento',
    what: 'No se ha perdido nada. Esta página lo vuelve a intentar por sí sola.',
  },
  retry: (seconds) => `Inténtalo de nuevo en ${seconds} ${seconds === 1 ? 'segundo' : 'segundos'}.`,
  request: 'Petición',
  home: 'Todas las campañas',
}
