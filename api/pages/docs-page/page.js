// Shows the OpenAPI document that stands beside this page.
SwaggerUIBundle({
  url: new URL('v1/openapi.json', document.baseURI).href,
  dom_id: '#reference',
  deepLinking: true,
  // One line per operation, and no list of schemas at the end: each stands where it is used.
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  defaultModelExpandDepth: 2,
  // A key stays in the page's memory, and is gone when it is closed.
  persistAuthorization: false,
  validatorUrl: null,
});
