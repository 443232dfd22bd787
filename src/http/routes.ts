import { acknowledgementRoutes, ownAcknowledgementRoutes } from './acknowledgements/routes.ts';
import { feedRoutes } from './calendar/feed-routes.ts';
import { outsideCalendarRoutes } from './calendar/outside-calendar-routes.ts';
import { publicEventRoutes } from './calendar/public-event-routes.ts';
import { calendarRoutes, statisticsRoutes } from './calendar/routes.ts';
import { eventListRoutes } from './events/list-routes.ts';
import { optionRoutes } from './events/option-routes.ts';
import { eventRecordRoutes } from './events/record-routes.ts';
import { eventRoutes } from './events/routes.ts';
import { templateRoutes } from './events/template-routes.ts';
import { transitionRoutes, undoRoutes } from './events/transition-routes.ts';
import { fileRoutes } from './files/routes.ts';
import { ingestRoutes } from './ingest/routes.ts';
import { linkPages } from './link-pages.ts';
import { inboxRoutes } from './live/inbox-routes.ts';
import { savedTextRoutes, schoolMessageRoutes } from './messages/routes.ts';
import { problemRoutes, type Tag } from './openapi/openapi.ts';
import { returnedMailRoutes, twilioRoutes } from './operations/callback-routes.ts';
import { deliveryRoutes } from './operations/delivery-routes.ts';
import { healthRoutes } from './operations/health-routes.ts';
import { queueBoardRoutes } from './operations/queue-board-routes.ts';
import { reportRoutes } from './operations/report-routes.ts';
import { suppressionRoutes } from './operations/suppression-routes.ts';
import { contactRoutes } from './people/contact-routes.ts';
import { meRoutes } from './people/me-routes.ts';
import { rosterRoutes } from './people/roster-routes.ts';
import { schoolRoutes } from './people/school-routes.ts';
import { textRoutes } from './people/text-routes.ts';
import { registrationListRoutes } from './registrations/list-routes.ts';
import { registrationRoutes } from './registrations/routes.ts';
import { slotRoutes } from './registrations/slot-routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** All routes of the API, by their tag in the documentation; a route can name another. */
export const ROUTES = {
  events: [
    eventRoutes,
    eventListRoutes,
    calendarRoutes,
    statisticsRoutes,
    optionRoutes,
    transitionRoutes,
    undoRoutes,
    templateRoutes,
    eventRecordRoutes,
    ingestRoutes,
    acknowledgementRoutes,
    reportRoutes,
  ],
  registrations: [registrationRoutes, slotRoutes, registrationListRoutes],
  messages: [schoolMessageRoutes, savedTextRoutes],
  files: [fileRoutes],
  people: [contactRoutes, rosterRoutes, schoolRoutes, outsideCalendarRoutes, textRoutes],
  webhooks: [webhookRoutes],
  deliveries: [suppressionRoutes, deliveryRoutes, queueBoardRoutes],
  me: [meRoutes, inboxRoutes, feedRoutes, ownAcknowledgementRoutes],
  public: [publicEventRoutes, linkPages, twilioRoutes, returnedMailRoutes],
  problems: [problemRoutes],
  health: [healthRoutes],
} satisfies Record<Tag, unknown>;
