package remark_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/remark"
)

func TestRecognize(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]remark.Courtesy{
		"hi": {Kind: remark.Greeting, Code: "en"}, "Hello there!": {Kind: remark.Greeting, Code: "en"}, "  HEY 👋 ": {Kind: remark.Greeting, Code: "en"},
		"thanks": {Kind: remark.Thanks, Code: "en"}, "Ok, thank you so much!!": {Kind: remark.Thanks, Code: "en"}, "Thanks, bye": {Kind: remark.Farewell, Code: "en"},
		"Hallo zusammen": {Kind: remark.Greeting, Code: "de"}, "Vielen Dank.": {Kind: remark.Thanks, Code: "de"}, "merci beaucoup !": {Kind: remark.Thanks, Code: "fr"},
		"¡Hola!": {Kind: remark.Greeting, Code: "es"}, "谢谢！": {Kind: remark.Thanks, Code: "zh"}, "Спасибо": {Kind: remark.Thanks, Code: "ru"},
		"شكرا": {Kind: remark.Thanks, Code: "ar"}, "धन्यवाद": {Kind: remark.Thanks, Code: "hi"}, "さようなら。": {Kind: remark.Farewell, Code: "ja"},
	} {
		got, ok := remark.Recognize(message)
		require.True(t, ok, message)
		require.Equal(t, want, got, message)
		require.NotEmpty(t, got.Reply(""), message)
	}
	for _, message := range []string{
		"", "ok", "good", "?", "hi?", "thanks, and how do I reset it", "Hello world program", "hi, delivery to Iceland", "what is hi", "danke, und was kostet das",
		"bye-law", "thanks for the warranty", "👋", "...", "hi 5", strings.Repeat("hi ", 1000),
	} {
		_, ok := remark.Recognize(message)
		require.False(t, ok, message)
	}
}

func TestCourtesy_Reply_language(t *testing.T) {
	t.Parallel()
	c, ok := remark.Recognize("hi")
	require.True(t, ok)
	require.Equal(t, "Hallo! Was möchten Sie wissen?", c.Reply("de-AT"))
	require.Equal(t, c.Reply("en"), c.Reply("auto"))
	require.Equal(t, c.Reply("en"), c.Reply("tlh"))
}

func TestOtherLanguage(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Die Dokumente sind in einer anderen Sprache (English, français).", remark.OtherLanguage("de", []string{"en", "fr", "xx"}))
	require.Equal(t, "文档使用的是另一种语言。", remark.OtherLanguage("zh", nil))
	require.Empty(t, remark.OtherLanguage("xx", []string{"en"}))
	for text, want := range map[string]string{"保修多久": "zh", "保証はいつまで": "ja", "보증 기간": "ko", "รับประกัน": "th", "how long": ""} {
		require.Equal(t, want, remark.ScriptCode(text), text)
	}
}

func TestRecognize_timeIsBounded(t *testing.T) {
	t.Parallel()
	began := time.Now()
	for range 100 {
		remark.Recognize(strings.Repeat("thank you very ", 500))
		remark.Recognize(strings.Repeat("ok ", 39))
	}
	require.Less(t, time.Since(began), 2*time.Second)
}
