package console

import (
	"bytes"
	"html/template"
	"net/http"
)

// policy lets the page load its own script and style and talk to its own server, and nothing more. The one image is
// the icon, which is in the page.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

// Handler serves "/", "/console.js" and "/console.css".
func Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/{$}", serve("text/html; charset=utf-8", page()))
	mux.Handle("/console.js", serve("text/javascript; charset=utf-8", read("console.js")))
	mux.Handle("/console.css", serve("text/css; charset=utf-8", read("console.css")))
	return mux
}

// page fills the examples into the page.
func page() []byte {
	parsed := template.Must(template.ParseFS(files(), "page.html"))
	var out bytes.Buffer
	if err := parsed.Execute(&out, examples()); err != nil {
		panic(err) // the template is part of the program, as its test shows
	}
	return out.Bytes()
}

// read gives a file of the page.
func read(name string) []byte {
	content, err := files().ReadFile(name)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return content
}

// serve answers with bytes that never change while the program runs; the next version may have others.
func serve(contentType string, content []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h.Set("Content-Type", contentType)
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-cache")
		_, _ = w.Write(content)
	})
}
