{{- define "schoolbell.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{/* Labels of one component: list $ "api" */}}
{{- define "schoolbell.selector" -}}
{{- $top := index . 0 -}}
app.kubernetes.io/name: schoolbell
app.kubernetes.io/instance: {{ $top.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "schoolbell.labels" -}}
{{- $top := index . 0 -}}
{{ include "schoolbell.selector" . }}
app.kubernetes.io/version: {{ $top.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $top.Release.Service }}
helm.sh/chart: {{ $top.Chart.Name }}-{{ $top.Chart.Version }}
{{- end -}}

{{/* Keys of the Secret that a component reads. */}}
{{- define "schoolbell.secretKeys" -}}
{{- $channels := list "SMTP_URL" "TWILIO_ACCOUNT_SID" "TWILIO_AUTH_TOKEN" "VAPID_PRIVATE_KEY" "DKIM_PRIVATE_KEY" -}}
{{- $files := list "S3_ACCESS_KEY_ID" "S3_SECRET_ACCESS_KEY" -}}
{{- $keys := list "MONGODB_URI" -}}
{{- if ne . "setup" }}{{ $keys = concat $keys (list "REDIS_URL" "OTEL_EXPORTER_OTLP_HEADERS") }}{{ end -}}
{{- if eq . "api" }}{{ $keys = concat $keys (list "JWT_SECRET" "OIDC_CLIENT_SECRET" "BOUNCE_SECRET") }}{{ end -}}
{{- if has . (list "api" "fan-out" "email" "sms" "push" "whatsapp") }}{{ $keys = concat $keys $channels }}{{ end -}}
{{- if has . (list "api" "clock") }}{{ $keys = concat $keys $files }}{{ end -}}
{{- toJson $keys -}}
{{- end -}}

{{/* The spec of a pod: dict "top" $ "name" "api" "command" (list …) "resources" (dict …) */}}
{{- define "schoolbell.pod" -}}
{{- $values := .top.Values -}}
{{- $isSetup := eq .name "setup" -}}
{{- $hasFiles := and $values.files.existingClaim (has .name (list "api" "clock")) -}}
automountServiceAccountToken: false
enableServiceLinks: false
# As process 1 a process that starts would ignore SIGTERM.
shareProcessNamespace: true
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with $values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $values.pod }}
{{ toYaml . }}
{{- end }}
{{- if $isSetup }}
restartPolicy: Never
{{- else }}
# Longer than preStop and SHUTDOWN_MS, so that a process that is ending is not killed.
terminationGracePeriodSeconds: {{ add 10 (div (int ($values.settings.SHUTDOWN_MS | default 30000)) 1000) }}
{{- end }}
containers:
  - name: {{ .name }}
    image: {{ include "schoolbell.image" .top }}
    imagePullPolicy: {{ $values.image.pullPolicy }}
    command: {{ toJson .command }}
    env:
      {{- range fromJsonArray (include "schoolbell.secretKeys" .name) }}
      - name: {{ . }}
        valueFrom:
          secretKeyRef:
            name: {{ $values.existingSecret }}
            key: {{ . }}
            {{- if not (has . (list "MONGODB_URI" "REDIS_URL")) }}
            optional: true
            {{- end }}
      {{- end }}
    {{- if not $isSetup }}
      - { name: HOST, value: 0.0.0.0 }
      - { name: METRICS_PORT, value: '9464' }
    envFrom:
      - configMapRef: { name: {{ .top.Release.Name }}-settings }
    ports:
      {{- if eq .name "api" }}
      - { name: http, containerPort: 3000 }
      {{- end }}
      - { name: metrics, containerPort: 9464 }
    livenessProbe:
      httpGet: { path: /health/live, port: metrics }
      initialDelaySeconds: 10
      periodSeconds: 10
      timeoutSeconds: 5
      failureThreshold: 6
    readinessProbe:
      httpGet: { path: /health/ready, port: metrics }
      periodSeconds: 5
      timeoutSeconds: 5
    {{- end }}
    {{- if eq .name "api" }}
    # The Service sends requests to a pod for a moment after it is told to end; the API refuses connections at SIGTERM.
    lifecycle:
      preStop: { exec: { command: [sleep, '5'] } }
    {{- end }}
    resources: {{ toYaml .resources | nindent 6 }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    volumeMounts:
      - { name: tmp, mountPath: /tmp }
      {{- if $values.secretFiles }}
      - { name: secrets, mountPath: /run/secrets, readOnly: true }
      {{- end }}
      {{- if $hasFiles }}
      - { name: files, mountPath: /data/files }
      {{- end }}
volumes:
  - { name: tmp, emptyDir: {} }
  {{- with $values.secretFiles }}
  - name: secrets
    secret: { secretName: {{ . }} }
  {{- end }}
  {{- if $hasFiles }}
  - name: files
    persistentVolumeClaim: { claimName: {{ $values.files.existingClaim }} }
  {{- end }}
{{- end -}}

{{/* A Deployment: dict "top" $ "name" "api" "command" (list …) "resources" (dict …) "replicas" 2, without replicas if scaled */}}
{{- define "schoolbell.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .top.Release.Name }}-{{ .name }}
  labels: {{ include "schoolbell.labels" (list .top .name) | nindent 4 }}
spec:
  {{- if hasKey . "replicas" }}
  replicas: {{ .replicas }}
  {{- end }}
  selector:
    matchLabels: {{ include "schoolbell.selector" (list .top .name) | nindent 6 }}
  template:
    metadata:
      labels: {{ include "schoolbell.labels" (list .top .name) | nindent 8 }}
      annotations:
        # Restarts the pods when a setting changes.
        schoolbell/settings: {{ toJson .top.Values.settings | sha256sum | trunc 16 | quote }}
        prometheus.io/scrape: 'true'
        prometheus.io/port: '9464'
    spec: {{ include "schoolbell.pod" . | nindent 6 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .top.Release.Name }}-{{ .name }}
  labels: {{ include "schoolbell.labels" (list .top .name) | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{ include "schoolbell.selector" (list .top .name) | nindent 6 }}
{{- end -}}
