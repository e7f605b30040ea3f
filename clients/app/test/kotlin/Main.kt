import android.content.Context
import android.net.Uri
import kotlinx.coroutines.runBlocking

/** Starts an app, which Play gave the first argument, once with each other argument as the address that opened it. */
fun main(arguments: Array<String>) = runBlocking {
  // What Android sends by itself.
  System.setProperty("http.agent", "Dalvik/2.1.0 (Linux; U; Android 15; SM-S931B Build/AP3A.240905.015)")
  val context = Context(arguments[0])
  for (address in arguments.drop(1)) {
    DeepLinks(context) { println(it) }.start(if (address == "") null else Uri.parse(address))
  }
}
