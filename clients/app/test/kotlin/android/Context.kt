package android.content

class Context(val referrer: String) {
  val resources = Resources()
  private val preferences = SharedPreferences()

  fun getSharedPreferences(name: String, mode: Int): SharedPreferences {
    require(name.isNotEmpty() && mode == MODE_PRIVATE)
    return preferences
  }

  companion object {
    const val MODE_PRIVATE = 0
  }
}

class Resources {
  val displayMetrics = DisplayMetrics()
}

/** Pixels of the Galaxy S25. */
class DisplayMetrics {
  @JvmField val widthPixels = 1080
  @JvmField val heightPixels = 2340
}

class SharedPreferences {
  private val values = HashMap<String, Boolean>()

  fun getBoolean(name: String, fallback: Boolean) = values[name] ?: fallback

  fun edit() = Editor()

  inner class Editor {
    private val changes = HashMap<String, Boolean>()

    fun putBoolean(name: String, value: Boolean): Editor {
      changes[name] = value
      return this
    }

    fun apply() = values.putAll(changes)
  }
}
