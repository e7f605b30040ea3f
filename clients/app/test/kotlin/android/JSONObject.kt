package org.json

/** Objects whose values are texts, numbers, booleans, null, objects or lists. */
class JSONObject(private val values: Map<String, Any?> = emptyMap()) {
  constructor(text: String) : this(Reader(text).members())

  fun isNull(name: String) = values[name] == null

  fun optString(name: String): String = values[name]?.toString() ?: ""

  override fun toString() = values.entries.joinToString(",", "{", "}") { (name, value) -> "${quoted(name)}:${quoted(value.toString())}" }

  private fun quoted(text: String) = "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\""
}

private class Reader(private val text: String) {
  private var at = 0

  fun members(): Map<String, Any?> {
    val members = HashMap<String, Any?>()
    list('{', '}') {
      val name = string()
      expect(':')
      members[name] = value()
    }
    return members
  }

  private fun value(): Any? = when (next()) {
    '{' -> members()
    '[' -> ArrayList<Any?>().also { all -> list('[', ']') { all.add(value()) } }
    '"' -> string()
    else -> literal()
  }

  private fun list(open: Char, close: Char, item: () -> Unit) {
    expect(open)
    while (next() != close) {
      item()
      if (next() == ',') at++
    }
    expect(close)
  }

  private fun string(): String {
    expect('"')
    val read = StringBuilder()
    while (text[at] != '"') {
      var letter = text[at++]
      if (letter == '\\') {
        letter = text[at++]
        when (letter) {
          'n' -> letter = '\n'
          't' -> letter = '\t'
          'u' -> letter = text.substring(at, at + 4).toInt(16).toChar().also { at += 4 }
        }
      }
      read.append(letter)
    }
    at++
    return read.toString()
  }

  private fun literal(): Any? {
    val from = at
    while (text[at] !in ",]} \n") at++
    return when (val word = text.substring(from, at)) {
      "null" -> null
      "true", "false" -> word.toBoolean()
      else -> word.toDouble()
    }
  }

  private fun next(): Char {
    while (text[at].isWhitespace()) at++
    return text[at]
  }

  private fun expect(letter: Char) {
    require(next() == letter) { "$letter expected at $at: $text" }
    at++
  }
}
