import SwiftletTestSupport

/// A task with a model and a picture of the test data.
struct TaskCase {
  enum Task: String {
    case faces, objects
    case categoryMask = "category-mask"
    case confidenceMasks = "confidence-masks"
    case embedding, classification
    /// A frame of a stream: objects are found, followed, and now and then one is named.
    case stream
  }

  var task: Task
  var model: String
  var picture: String
  var threads: Int

  var name: String { "\(task.rawValue) \(model) \(picture)" }

  private static let segmenters = [
    "segmentation/deeplabv3_257_metadata.tflite", "segmentation/selfie_segmentation_256_metadata.tflite",
  ]

  /// Models that MediaPipe takes, and pictures of several sizes.
  private static let work: [(task: Task, models: [String], pictures: [String])] = [
    (
      .faces, ["face/face_detector_short_range_metadata.tflite", "face/face_detection_full_range_metadata.tflite"],
      ["face.jpg", "coupleanddog.jpeg"]
    ),
    (
      .objects, ["detection/coco_ssd_mobilenet_v1_1.0_quant.tflite", "detection/salad_automl_320.tflite"],
      ["cats_and_dogs.jpg", "multi_objects.jpg"]
    ),
    (
      .categoryMask, segmenters,
      ["segmentation_input_rotation0.jpg", "cats_and_dogs.jpg"]
    ),
    (
      .confidenceMasks, segmenters,
      ["segmentation_input_rotation0.jpg", "cats_and_dogs.jpg"]
    ),
    (
      .embedding,
      [
        "embedding/mobilenet_v2_035_96_embedder.tflite",
        "embedding/mobilenet_v1_1.0_224_quant_embedding_extractor.tflite",
      ],
      ["burger.jpg", "cats_and_dogs.jpg"]
    ),
    (
      .classification,
      ["classification/mobilenet_v1_0.25_224_float.tflite", "classification/mobilenet_v1_0.25_224_quant.tflite"],
      ["burger.jpg", "multi_objects.jpg"]
    ),
    (.stream, ["detection/mobile_object_localizer_192.tflite"], ["multi_objects.jpg", "cats_and_dogs.jpg"]),
  ]

  /// Names the objects of streams.
  static let streamClassifier = "classification/object_labeler.tflite"

  static func all(threads: [Int]) -> [TaskCase] {
    guard TestData.isAvailable else { return [] }
    return work.flatMap { item in
      item.models.flatMap { model in
        item.pictures.flatMap { picture in
          threads.map { TaskCase(task: item.task, model: model, picture: picture, threads: $0) }
        }
      }
    }
  }
}
