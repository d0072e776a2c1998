import type { RouteModule } from '../resources/route.ts'

export const docsRoutes: RouteModule = (http) => {
  const config = { access: { level: 'public' } } as const
  http.get('/openapi.json', { config, schema: { hide: true } }, async () => http.swagger())
}
