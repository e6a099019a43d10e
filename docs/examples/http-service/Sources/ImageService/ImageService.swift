import Foundation
import SwiftletImageCodecs
import SwiftletVision

/// Handles requests: `POST /classify` with a PNG or JPEG file as its body, and `GET /health`.
///
/// All connections share one classifier. It has as many sessions as there are cores, which share one compiled model.
/// Requests that arrive while all sessions are in use wait at the turnstile, which also limits the memory of decoded
/// images.
final class ImageService: Sendable {
  private struct Category: Encodable {
    var name: String?
    var index: Int
    var score: Float
  }

  let limits: Limits
  private let classifier: ImageClassifier
  private let turnstile: Turnstile
  private let connections: Turnstile

  init(model: ModelSource, sessions: Int, limits: Limits = Limits()) throws {
    self.limits = limits
    var options = ImageClassifierOptions(
      baseOptions: BaseOptions(model: model, maxConcurrentCalls: sessions, timeout: limits.runTime), maxResults: 5)
    // Each image runs on one thread, because one image per core gives the maximum throughput.
    options.baseOptions.threads = 1
    classifier = try ImageClassifier(options: options)
    turnstile = Turnstile(capacity: sessions, maximumWaiting: limits.waitingImages)
    connections = Turnstile(capacity: limits.connections, maximumWaiting: 0)
  }

  /// Handles a connection in the background; returns immediately.
  func serve(_ descriptor: Int32) {
    guard connections.enter() else {
      _ = refuse(Refusal(503, "there are too many connections"), Connection(descriptor))
      Connection(descriptor).close(afterReading: false)
      return
    }
    let thread = Thread { [self] in
      converse(Connection(descriptor))
      connections.leave()
    }
    thread.stackSize = 1 << 20
    thread.start()
  }

  private func converse(_ connection: Connection) {
    var connection = connection
    do throws(Refusal) {
      while let (request, body) = try connection.request(limits) {
        let (status, answer) = result(of: request, body)
        guard connection.answer(status, answer, keeps: request.keepsConnection, limits), request.keepsConnection else {
          break
        }
      }
      connection.close(afterReading: false)
    } catch {
      // The end of the request is unknown.
      connection.close(afterReading: refuse(error, connection))
    }
  }

  private func refuse(_ refusal: Refusal, _ connection: Connection) -> Bool {
    connection.answer(refusal.status, Self.json(["error": refusal.reason]), keeps: false, limits)
  }

  private func result(of request: Request, _ body: [UInt8]) -> (Int, [UInt8]) {
    do {
      switch (request.method, request.path) {
      case ("GET", "/health"): return (200, Self.json(["status": "ok"]))
      case ("POST", "/classify"):
        guard let found = try turnstile.pass({ try classify(body) }) else {
          throw Refusal(503, "too many images wait")
        }
        return (200, Self.json(["categories": found]))
      case (_, "/health"), (_, "/classify"): throw Refusal(405, "the method is not that of the path")
      default: throw Refusal(404, "there are /classify and /health")
      }
    } catch let error as Refusal {
      return (error.status, Self.json(["error": error.reason]))
    } catch let error as ImageCodecError {
      return (422, Self.json(["error": error.message]))
    } catch let error as TaskError {
      return (error.code == .deadlineExceeded ? 503 : 500, Self.json(["error": error.message]))
    } catch {
      return (500, Self.json(["error": "\(error)"]))
    }
  }

  private func classify(_ file: [UInt8]) throws -> [Category] {
    let decoded = try ImageDecoder.decode(bytes: file, limits: limits.decoder)
    return try classifier.classification(of: InputImage(decoded.image)).categories.map {
      Category(name: $0.categoryName, index: $0.index, score: $0.score)
    }
  }

  private static func json(_ value: some Encodable) -> [UInt8] {
    (try? JSONEncoder().encode(value)).map(Array.init) ?? Array("{}".utf8)
  }
}
