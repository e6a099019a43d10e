import Foundation
import Swiftlet
import SwiftletAudio
import SwiftletBase
import SwiftletCommandLine
import SwiftletImage
import SwiftletImageCodecs
import SwiftletJSON
import SwiftletLocalServer
import SwiftletReports
import SwiftletSchema
import SwiftletVision

/// Handles the requests of the studio's page.
///
/// - Thread safety: callable concurrently.
final class StudioService: Sendable {
  private let models: StudioModels
  private let samples: StudioSamples
  private let engine = StudioEngine()
  /// Held while a report is made: several at a time would take much memory.
  private let reports = NSLock()

  init(models: StudioModels, samples: StudioSamples) {
    self.models = models
    self.samples = samples
  }

  /// Returns the response to a request.
  ///
  /// - Parameter token: The token of the page's requests.
  func response(to request: HTTPRequest, token: String) -> HTTPResponse {
    do {
      return try CallContext.within(StudioEngine.timeout) { try route(request, token: token) }
    } catch let failure as HTTPFailure {
      return HTTPResponse(failure)
    } catch let error as ImageCodecError {
      return HTTPResponse(HTTPFailure(422, "the image cannot be decoded: \(error.message)"))
    } catch let error as TaskError {
      return HTTPResponse(HTTPFailure(error.code == .deadlineExceeded ? 504 : 422, error.message))
    } catch {
      return HTTPResponse(HTTPFailure(422, "\(error)"))
    }
  }

  private func route(_ request: HTTPRequest, token: String) throws -> HTTPResponse {
    switch (request.method, request.path) {
    case ("GET", "/"): html(StudioPage.page(data(token: token)))
    case ("POST", "/api/run"): try run(request)
    case ("POST", "/api/code"): try code(request)
    case ("POST", "/api/inspect"): try reports.withLock { try inspect(request) }
    case ("POST", "/api/bench"): try reports.withLock { try bench(request) }
    case ("GET", "/api/sample"): try sample(request)
    case (_, "/"), (_, "/api/run"), (_, "/api/code"), (_, "/api/inspect"), (_, "/api/bench"), (_, "/api/sample"):
      throw HTTPFailure(405, "\(request.path) doesn't support this method")
    default: throw HTTPFailure(404, "there is no such page")
    }
  }

  private func html(_ page: HTMLPage) -> HTTPResponse { HTTPResponse("text/html; charset=utf-8", page.bytes) }

  private func data(token: String) -> JSONValue {
    .object([
      "token": .string(token), "version": .string(Program.version),
      "tasks": .array(StudioTask.all.map { $0.json(models: models[$0]) }), "samples": samples.json,
    ])
  }

  // MARK: Tasks

  private struct Selection {
    var task: StudioTask
    var model: StudioModel
    var values: StudioValues
  }

  private func selection(_ request: HTTPRequest) throws -> Selection {
    guard let task = request.query["task"].flatMap(StudioTask.named) else {
      throw HTTPFailure(404, "there is no such task")
    }
    return Selection(
      task: task, model: try models.model(request.query["model"], of: task),
      values: try StudioValues(request.query, for: task))
  }

  private func run(_ request: HTTPRequest) throws -> HTTPResponse {
    let start = ContinuousClock.now
    let selected = try selection(request)
    let input = try StudioRequestInput(request, selected.task, samples).input()
    let decoded = ContinuousClock.now, phases = PhaseTimes()
    // Loading, if it's necessary, doesn't count as latency.
    let key = StudioEngine.Key(task: selected.task.id, model: selected.model.id, values: selected.values.key)
    let runnable = try engine.runnable(selected.task, selected.model, selected.values, key)
    let loaded = ContinuousClock.now
    let isLive = request.query["session"] != nil
    let result = try phases.carry {
      guard let video = request.query["session"] else { return try runnable.run(input) }
      guard case .image(let image) = input else { throw HTTPFailure(422, "a session takes images") }
      return try engine.result(
        image, at: .milliseconds(request.query["at"].flatMap { Int($0) }.map { min(max($0, 0), 1 << 40) } ?? 0),
        video: String(video.prefix(64)), runnable, key)
    }
    let end = ContinuousClock.now
    let times = times(decode: start.duration(to: decoded), work: loaded.duration(to: end), phases.values)
    return answer(result, input, times, isLive ? nil : codeMembers(selected, request))
  }

  private func times(
    decode: Duration, work: Duration, _ phases: (conversion: Duration, inference: Duration)
  ) -> JSONValue {
    func ms(_ time: Duration) -> JSONValue { .double((time / .microseconds(10)).rounded() / 100) }
    return .object([
      "decode": ms(decode), "convert": ms(phases.conversion), "infer": ms(phases.inference),
      "post": ms(max(.zero, work - phases.conversion - phases.inference)), "total": ms(decode + work),
    ])
  }

  /// Returns the response with a result: a line of JSON, then the masks.
  private func answer(
    _ result: StudioResult, _ input: StudioInput, _ times: JSONValue, _ code: [JSONValue.Member]?
  ) -> HTTPResponse {
    var members: [JSONValue.Member] = []
    if let size = input.size {
      members = [.init(key: "width", value: .int(size.width)), .init(key: "height", value: .int(size.height))]
    }
    var offset = 0
    let masks = result.masks.map { mask -> JSONValue in
      defer { offset += mask.pixels.count }
      return .object([
        "kind": .string(mask.kind), "width": .int(mask.width), "height": .int(mask.height), "offset": .int(offset),
        "length": .int(mask.pixels.count), "label": .string(mask.label),
      ])
    }
    members += [
      .init(key: "result", value: result.json), .init(key: "masks", value: .array(masks)),
      .init(key: "times", value: times), .init(key: "lines", value: .strings(result.lines.map(\.sanitized))),
    ]
    let line = JSONValue.object(members + (code ?? [])).text
    return HTTPResponse(
      "application/octet-stream", result.masks.reduce(into: Array(line.utf8) + [10]) { $0 += $1.pixels })
  }

  private func codeMembers(_ selected: Selection, _ request: HTTPRequest) -> [JSONValue.Member] {
    let point = StudioRequestInput.point(request.query["point"]) ?? StudioRequestInput.center
    let code = StudioCode(task: selected.task, values: selected.values, model: selected.model, point: point)
    return [
      .init(key: "code", value: .string(code.program(isLive: request.query["session"] != nil))),
      .init(key: "command", value: .string(code.command)),
    ]
  }

  private func code(_ request: HTTPRequest) throws -> HTTPResponse {
    HTTPResponse("application/json", Array(JSONValue.object(codeMembers(try selection(request), request)).text.utf8))
  }

  private func sample(_ request: HTTPRequest) throws -> HTTPResponse {
    let sample = try samples.sample(request.query["id"])
    return HTTPResponse(sample.type, sample.bytes)
  }

  // MARK: Reports

  /// Returns the models of a request, with their names: the bytes in its body, or the model of a task.
  private func reportModels(_ request: HTTPRequest) throws -> [(name: String, bytes: ByteRegion)] {
    guard !request.body.isEmpty else {
      let selected = try selection(request)
      return [(selected.model.name, try selected.model.source.bytes())]
    }
    let names = ["name", "second"].map { String((request.query[$0] ?? "model").prefix(200)) }
    guard request.query["first"] != nil else { return [(names[0], ByteRegion(request.body))] }
    let (first, second) = try StudioRequestInput.parts(request.body, request.query, "model")
    return [(names[0], ByteRegion(first)), (names[1], ByteRegion(second))]
  }

  private func inspect(_ request: HTTPRequest) throws -> HTTPResponse {
    let models = try reportModels(request)
    let options = RuntimeOptions(timeout: StudioEngine.timeout)
    if models.count == 1, BundleReport.isBundle(models[0].bytes) {
      return html(try BundleReport(models[0].name, models[0].bytes, options: options).page)
    }
    if models.count == 1 {
      // The page without a diagnosis is better than none.
      let model = try Model(models[0].bytes)
      if let report = try? DoctorReport.examined(models[0].name, model, options: options) {
        return html(report.page(options))
      }
    }
    let reports = try models.map { ModelReport($0.name, try Model($0.bytes), options: options) }
    if reports.count > 1 { return html(ModelDifference(reports[0], reports[1]).page) }
    return html(ModelPage.page(reports[0].description))
  }

  private func bench(_ request: HTTPRequest) throws -> HTTPResponse {
    let model = try reportModels(request)[0]
    guard !BundleReport.isBundle(model.bytes) else {
      throw HTTPFailure(422, "\(model.name) is a bundle of several models; 'swiftlet bench' measures one")
    }
    let options = RuntimeOptions(
      threads: StudioTask.cores, timeout: StudioEngine.timeout, isProfiling: true)
    let result = try BenchResult.measure(model.name, options: options, warmup: 2, runs: 15) { try Model(model.bytes) }
    return html(MeasurementPage.page([result.description]))
  }
}
