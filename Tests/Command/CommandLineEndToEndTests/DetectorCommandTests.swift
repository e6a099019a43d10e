import SwiftletImageCodecs
import SwiftletTestSupport
import Testing

@Suite("detect-faces and detect-objects")
struct DetectorCommandTests {
  @Test(
    "draw boxes with labels, scores, and keypoints for the detectors",
    .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
  func detectorAnnotation() throws {
    let folder = try TemporaryFolder()
    for (command, model, image) in [
      ("detect-faces", "face/face_detector_short_range_metadata.tflite", "face.jpg"),
      ("detect-objects", "detection/coco_ssd_mobilenet_v1_1.0_quant.tflite", "cats_and_dogs.jpg"),
    ] {
      let source = TestData.path("images/" + image), annotated = folder.path(command + ".png")
      let result = try Tool.run(
        command, source, "--model", TestData.path("models/" + model), "--annotate", annotated, "--json")
      #expect(result.status == 0, "\(result.error)")
      let first = try #require((try result.json()["detections"] as? [[String: Any]])?.first)
      let box = try #require(first["box"] as? [String: Int])
      let (x, y) = (try #require(box["x"]), try #require(box["y"]))
      let before = try ImageDecoder.decode(path: source).image, after = try ImageDecoder.decode(path: annotated).image
      #expect(after.width == before.width && after.height == before.height)
      // The corner of the best detection's box has the first color, and so has the edge of its label above.
      let bytes = after.packedBytes()
      for row in [y, y - 1] where row >= 0 {
        let offset = (row * after.width + max(0, x)) * 3
        #expect(Array(bytes[offset..<offset + 3]) == [230, 57, 70])
      }
    }
  }
}
