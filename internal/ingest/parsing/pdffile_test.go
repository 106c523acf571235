package parsing_test

import (
	"fmt"
	"strings"
)

// pdfFile returns a PDF with one line of text on each page.
func pdfFile(pages ...string) string {
	kids := make([]string, len(pages))
	objects := []string{"<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"}
	for i, text := range pages {
		n := len(objects) + 1
		kids[i] = fmt.Sprintf("%d 0 R", n)
		content := fmt.Sprintf("BT /F1 12 Tf 72 700 Td (%s) Tj ET", text)
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>", n+1),
			fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(content), content))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), len(pages))
	return assemble(objects, "")
}

// protectedPDF returns a PDF that needs a password. Its keys are random, so no password opens it.
func protectedPDF() string {
	key := strings.Repeat("7f", 32)
	return assemble([]string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [] /Count 0 >>",
		fmt.Sprintf("<< /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -4 >>", key, key),
	}, "/Encrypt 3 0 R /ID [<00> <00>]")
}

// assemble writes the objects with a correct table of their positions.
func assemble(objects []string, trailer string) string {
	var b strings.Builder
	b.WriteString("%PDF-1.4\n")
	places := make([]int, len(objects))
	for i, o := range objects {
		places[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, p := range places {
		fmt.Fprintf(&b, "%010d 00000 n \n", p)
	}
	fmt.Fprintf(&b, "trailer << /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, trailer, table)
	return b.String()
}
