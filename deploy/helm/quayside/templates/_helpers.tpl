{{- define "quayside.selector" -}}
app.kubernetes.io/name: quayside
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "quayside.labels" -}}
{{ include "quayside.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "quayside.host" -}}
{{ (urlParse .Values.publicUrl).host }}
{{- end }}

{{- define "quayside.image" -}}
{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) }}
{{- end }}

{{/* The settings of a container. */}}
{{- define "quayside.environment" -}}
envFrom:
  - configMapRef:
      name: {{ .Release.Name }}
  - secretRef:
      name: {{ .Values.secretName }}
{{- end }}

{{/* Replaces DATABASE_URL of the Secret with the value of an operator's Secret. */}}
{{- define "quayside.database" -}}
{{- with .Values.database }}
{{- if .secretName }}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ .secretName }}
      key: {{ .secretKey }}
{{- end }}
{{- end }}
{{- end }}

{{- define "quayside.pod" -}}
automountServiceAccountToken: false
{{- if or .Values.serviceAccount.create .Values.serviceAccount.name }}
serviceAccountName: {{ .Values.serviceAccount.name | default .Release.Name }}
{{- end }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
{{- end }}

{{- define "quayside.container" -}}
image: {{ include "quayside.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}

{{/* What the pods of api.yaml and worker.yaml have in common. Takes the root context and the component. */}}
{{- define "quayside.nodePod" -}}
{{- $root := .root -}}
metadata:
  annotations:
    # Replaces the pods after a change of the settings. The Secret is not part of the chart.
    checksum/settings: {{ include (print $root.Template.BasePath "/settings.yaml") $root | sha256sum }}
    {{- with $root.Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  labels:
    {{- include "quayside.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  {{- include "quayside.pod" $root | nindent 2 }}
  # Requests have 30 seconds to finish, and jobs 20.
  terminationGracePeriodSeconds: 60
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "quayside.selector" $root | nindent 10 }}
          app.kubernetes.io/component: {{ .component }}
  containers:
    - name: quayside
      {{- include "quayside.container" $root | nindent 6 }}
      env:
        - name: QUAYSIDE_ROLE
          value: {{ .component }}
        {{- include "quayside.database" $root | nindent 8 }}
      {{- include "quayside.environment" $root | nindent 6 }}
      ports:
        - name: http
          containerPort: 4400
      # The service listens before the database is available, so this also covers slow migrations.
      startupProbe:
        httpGet:
          path: /livez
          port: http
        periodSeconds: 2
        failureThreshold: 30
      livenessProbe:
        httpGet:
          path: /livez
          port: http
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet:
          path: /readyz
          port: http
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: 2
      {{- if eq .component "api" }}
      lifecycle:
        # Ingress controllers send requests to a pod for a few seconds after its deletion has started.
        preStop:
          sleep:
            seconds: 10
      {{- end }}
      resources:
        {{- toYaml (index $root.Values .component).resources | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
  volumes:
    - name: data
      emptyDir: {}
    - name: tmp
      emptyDir:
        sizeLimit: 1Gi
{{- end }}
