package android.net

import java.net.URI
import java.net.URLDecoder
import java.net.URLEncoder

class Uri private constructor(private val uri: URI) {
  val scheme: String? get() = uri.scheme
  val isHierarchical: Boolean get() = !uri.isOpaque
  val pathSegments: List<String> get() = uri.path.orEmpty().split('/').filter { it.isNotEmpty() }

  fun getQueryParameter(name: String): String? {
    val pairs = uri.rawQuery.orEmpty().split('&').map { it.split('=', limit = 2) }
    return pairs.firstOrNull { it[0] == name }?.let { URLDecoder.decode(it.getOrElse(1) { "" }, "UTF-8") }
  }

  fun buildUpon() = Builder(uri.toString())

  override fun toString() = uri.toString()

  class Builder(private var text: String) {
    fun appendQueryParameter(name: String, value: String): Builder {
      text += (if ('?' in text) "&" else "?") + name + "=" + URLEncoder.encode(value, "UTF-8")
      return this
    }

    fun build() = parse(text)
  }

  companion object {
    @JvmStatic fun parse(text: String) = Uri(URI(text))
  }
}
