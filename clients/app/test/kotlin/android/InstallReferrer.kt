package com.android.installreferrer.api

import android.content.Context
import kotlin.concurrent.thread

/** Answers from a thread of its own, as Google Play does; without a referrer, Play is not on the phone. */
class InstallReferrerClient private constructor(private val context: Context) {
  private var connected = false

  val installReferrer: ReferrerDetails
    get() {
      check(connected)
      return ReferrerDetails(context.referrer)
    }

  fun startConnection(listener: InstallReferrerStateListener) {
    thread {
      connected = context.referrer.isNotEmpty()
      listener.onInstallReferrerSetupFinished(
        if (connected) InstallReferrerResponse.OK else InstallReferrerResponse.SERVICE_UNAVAILABLE,
      )
    }
  }

  fun endConnection() {
    connected = false
  }

  class Builder(private val context: Context) {
    fun build() = InstallReferrerClient(context)
  }

  object InstallReferrerResponse {
    const val OK = 0
    const val SERVICE_UNAVAILABLE = 1
  }

  companion object {
    @JvmStatic fun newBuilder(context: Context) = Builder(context)
  }
}

class ReferrerDetails(val installReferrer: String)

interface InstallReferrerStateListener {
  fun onInstallReferrerSetupFinished(code: Int)
  fun onInstallReferrerServiceDisconnected()
}
