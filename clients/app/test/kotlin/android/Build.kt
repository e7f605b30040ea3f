package android.os

object Build {
  const val MODEL = "SM-S931B"

  object VERSION {
    const val RELEASE = "15"
  }
}
