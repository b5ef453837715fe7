{{/* Names, labels, and what all containers have in common. */}}

{{- define "recordwatch.fullname" -}}
{{- $name := .Release.Name -}}
{{- if not (contains .Chart.Name $name) }}{{ $name = printf "%s-%s" $name .Chart.Name }}{{ end -}}
{{- $name | trunc 35 | trimSuffix "-" -}}
{{- end -}}

{{/* The workers' account. */}}
{{- define "recordwatch.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "recordwatch.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{- define "recordwatch.apiServiceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.apiName | default (printf "%s-api" (include "recordwatch.fullname" .)) -}}
{{- else -}}
{{- .Values.serviceAccount.apiName | default "default" -}}
{{- end -}}
{{- end -}}

{{- define "recordwatch.tag" -}}
{{- .Values.image.tag | default .Chart.AppVersion -}}
{{- end -}}

{{/* A tag as a part of names and as a value of labels. */}}
{{- define "recordwatch.slug" -}}
{{- $slug := regexReplaceAll "[^a-z0-9]+" (lower .) "-" -}}
{{- if gt (len $slug) 20 }}{{ $slug = printf "%s-%s" (trunc 11 $slug) (sha256sum . | trunc 8) }}{{ end -}}
{{- $slug | trimSuffix "-" | trimPrefix "-" -}}
{{- end -}}

{{/* Of a dict with root and tag. The digest is that of image.tag. */}}
{{- define "recordwatch.image" -}}
{{- $image := .root.Values.image -}}
{{- $repository := required "Set image.repository to where you pushed the image." $image.repository -}}
{{- if and $image.digest (eq .tag (include "recordwatch.tag" .root)) -}}
{{- printf "%s:%s@%s" $repository .tag $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $repository .tag -}}
{{- end -}}
{{- end -}}

{{- define "recordwatch.releaseLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* Of a dict with root and component. */}}
{{- define "recordwatch.labels" -}}
{{ include "recordwatch.releaseLabels" .root }}
app.kubernetes.io/component: {{ .component }}
app.kubernetes.io/version: {{ include "recordwatch.tag" .root | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "recordwatch.selector" -}}
{{ include "recordwatch.releaseLabels" .root }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* Of a dict with root, component and, if it is not that of image.tag, tag. Pods are replaced when these change. */}}
{{- define "recordwatch.podLabels" -}}
{{ include "recordwatch.selector" . }}
app.kubernetes.io/version: {{ .tag | default (include "recordwatch.tag" .root) | quote }}
{{- with .root.Values.podLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The user `node` of the image. */}}
{{- define "recordwatch.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "recordwatch.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{/* Of a dict with root, name and, if it may be missing, optional. */}}
{{- define "recordwatch.fromSecret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ required "Set secrets.existingSecret to the Secret with DATABASE_URL, KEY_ENCRYPTION_KEYS and BLOB_STORE." .root.Values.secrets.existingSecret }}
      key: {{ .name }}
      {{- if .optional }}
      optional: true
      {{- end }}
{{- end -}}

{{/* The settings that API and workers share. */}}
{{- define "recordwatch.env" -}}
{{- $tls := .Values.temporal.tls -}}
{{ include "recordwatch.fromSecret" (dict "root" . "name" "DATABASE_URL") }}
{{ include "recordwatch.fromSecret" (dict "root" . "name" "KEY_ENCRYPTION_KEYS") }}
{{ include "recordwatch.fromSecret" (dict "root" . "name" "TEMPORAL_API_KEY" "optional" true) }}
{{ include "recordwatch.fromSecret" (dict "root" . "name" "TEMPORAL_CODEC_KEYS" "optional" true) }}
- name: BASE_URL
  value: {{ required "Set baseUrl to the address under which users reach the API." .Values.baseUrl | quote }}
- name: TEMPORAL_ADDRESS
  value: {{ required "Set temporal.address to host:port of Temporal." .Values.temporal.address | quote }}
- name: TEMPORAL_NAMESPACE
  value: {{ .Values.temporal.namespace | quote }}
{{- if $tls.enabled }}
- name: TEMPORAL_TLS
  value: 'true'
{{- end }}
{{- if $tls.existingSecret }}
- name: TEMPORAL_TLS_SERVER_CA_CERT_PATH
  value: /etc/recordwatch/temporal-tls/ca.crt
{{- if $tls.clientCertificate }}
- name: TEMPORAL_TLS_CLIENT_CERT_PATH
  value: /etc/recordwatch/temporal-tls/tls.crt
- name: TEMPORAL_TLS_CLIENT_KEY_PATH
  value: /etc/recordwatch/temporal-tls/tls.key
{{- end }}
{{- end }}
{{- with $tls.serverName }}
- name: TEMPORAL_TLS_SERVER_NAME
  value: {{ . | quote }}
{{- end }}
{{- if .Values.metrics.enabled }}
- name: METRICS_ADDRESS
  value: 0.0.0.0:9464
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  {{- /* Helm reads whole numbers as floating-point ones, and would write a million as 1e+06. */}}
  {{- $isWhole := and (kindIs "float64" $value) (eq (floor $value) $value) }}
  value: {{ $isWhole | ternary (int64 $value) $value | toString | quote }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Where the certificates for Temporal are. */}}
{{- define "recordwatch.volumeMounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if .Values.temporal.tls.existingSecret }}
- { name: temporal-tls, mountPath: /etc/recordwatch/temporal-tls, readOnly: true }
{{- end }}
{{- end -}}

{{- define "recordwatch.volumes" -}}
- name: tmp
  emptyDir: { sizeLimit: 64Mi }
{{- with .Values.temporal.tls.existingSecret }}
- name: temporal-tls
  secret: { secretName: {{ . }}, defaultMode: 0440 }
{{- end }}
{{- end -}}

{{/* Of a dict with root, component and values: where its pods run. */}}
{{- define "recordwatch.placement" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "recordwatch.selector" . | nindent 8 }}
{{- with .values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
