// Shows the API's OpenAPI document.
SwaggerUIBundle({
  url: new URL('v1/openapi.json', document.baseURI).href,
  dom_id: '#reference',
  deepLinking: true,
  // One line per operation. Schemas are shown where they are used, not in a list at the end.
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  defaultModelExpandDepth: 2,
  // A key stays in the page's memory only.
  persistAuthorization: false,
  validatorUrl: null,
});
